/** Shares statements out among connections, each of which can have several statements in progress. */

export interface Lanes<Connection> {
  first: Connection
  /** Runs a statement on an idle connection, or behind the fewest statements. */
  run<T>(work: Work<Connection, T>): Promise<T>
  /** Runs a transaction: until it ends, its connection gets no other statement. */
  reserve<T>(work: Work<Connection, T>): Promise<T>
  /** Opens no further connection, and returns every one for the caller to close. */
  close(): Connection[]
}

type Work<Connection, T> = (connection: Connection) => Promise<T>

interface Lane<Connection> {
  connection: Connection
  /** The number of its statements without an answer. */
  unanswered: number
  /** Whether a transaction uses it. */
  reserved: boolean
  /** To be called while it runs nothing. Returns itself. */
  renewIfOld(): Lane<Connection>
}

interface LanesOptions<Connection> {
  /** The largest number of connections. */
  limit: number
  /** Opens a further one, which connects with its first statement. Calls `onClosed` when that connection has closed. */
  open: (onClosed: () => void) => Connection
  /** Whether the connection is to be replaced as soon as it runs nothing. */
  isOld: (connection: Connection) => boolean
  /** Ends a connection that runs nothing. */
  end: (connection: Connection) => void
  /** Called with each error of a statement or a transaction. */
  onError: (error: unknown) => void
}

export function openLanes<Connection>(options: LanesOptions<Connection>): Lanes<Connection> {
  const { limit, onError } = options
  const lanes: Lane<Connection>[] = []
  const waiting: (() => void)[] = []
  let closed = false
  const first = addLane()

  function addLane(): Lane<Connection> {
    const lane = openLane(options, () => closed)
    lanes.push(lane)
    return lane
  }

  /** Null while transactions use all of them. */
  function choose(): Lane<Connection> | null {
    let best: Lane<Connection> | null = null
    for (const lane of lanes) {
      if (lane.reserved) continue
      if (lane.unanswered === 0) return lane.renewIfOld()
      if (best === null || lane.unanswered < best.unanswered) best = lane
    }
    if (lanes.length >= limit || closed) return best
    return addLane()
  }

  function startWaiting(): void {
    for (const start of waiting.splice(0)) start()
  }

  function occupy<T>(lane: Lane<Connection>, work: Work<Connection, T>): Promise<T> {
    const release = () => {
      lane.unanswered -= 1
    }
    lane.unanswered += 1
    const answer = work(lane.connection)
    answer.then(release, (error) => {
      release()
      onError(error)
    })
    return answer
  }

  async function occupyAlone<T>(lane: Lane<Connection>, work: Work<Connection, T>): Promise<T> {
    lane.reserved = true
    try {
      return await occupy(lane, work)
    } finally {
      lane.reserved = false
      startWaiting()
    }
  }

  /** Starts now, or when a transaction ends. */
  function start<T>(begin: (lane: Lane<Connection>) => Promise<T>): Promise<T> {
    const lane = choose()
    if (lane !== null) return begin(lane)
    return new Promise((resolve, reject) => {
      waiting.push(() => start(begin).then(resolve, reject))
    })
  }

  return {
    first: first.connection,
    run: (work) => start((lane) => occupy(lane, work)),
    reserve: (work) => start((lane) => occupyAlone(lane, work)),
    close() {
      closed = true
      return lanes.map(({ connection }) => connection)
    },
  }
}

/** A connection that has closed, or is old, is replaced by another one, which connects with its first statement. */
function openLane<Connection>(
  { open, isOld, end }: LanesOptions<Connection>,
  isClosed: () => boolean,
): Lane<Connection> {
  const connection = open(() => replace(connection))
  const lane: Lane<Connection> = { connection, unanswered: 0, reserved: false, renewIfOld }

  function replace(replaced: Connection): void {
    if (isClosed() || lane.connection !== replaced) return
    const next = open(() => replace(next))
    lane.connection = next
  }

  function renewIfOld(): Lane<Connection> {
    const { connection: current } = lane
    if (isClosed() || !isOld(current)) return lane
    replace(current)
    end(current)
    return lane
  }

  return lane
}

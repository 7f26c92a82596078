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
}

interface LanesOptions<Connection> {
  /** The largest number of connections. */
  limit: number
  /** Opens a further one, which connects with its first statement. */
  open: () => Connection
  /** Called with each error of a statement or a transaction. */
  onError: (error: unknown) => void
}

export function openLanes<Connection>({ limit, open, onError }: LanesOptions<Connection>): Lanes<Connection> {
  const first = newLane(open())
  const lanes = [first]
  const waiting: (() => void)[] = []
  let closed = false

  /** Null while transactions use all of them. */
  function choose(): Lane<Connection> | null {
    let best: Lane<Connection> | null = null
    for (const lane of lanes) {
      if (lane.reserved) continue
      if (lane.unanswered === 0) return lane
      if (best === null || lane.unanswered < best.unanswered) best = lane
    }
    if (lanes.length >= limit || closed) return best
    const opened = newLane(open())
    lanes.push(opened)
    return opened
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

const newLane = <Connection>(connection: Connection): Lane<Connection> => ({
  connection,
  unanswered: 0,
  reserved: false,
})

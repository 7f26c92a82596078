/** The errors that Redis and ioredis answer with. ioredis has no codes for its own. */

/** First words of replies: Redis starts, is busy or in a failover, accepts no writes, or its cluster changes. */
const UNAVAILABLE_CODES = new Set([
  'LOADING',
  'BUSY',
  'READONLY',
  'MASTERDOWN',
  'CLUSTERDOWN',
  'TRYAGAIN',
  'MOVED',
  'ASK',
  'OOM',
  'MISCONF',
  'NOREPLICAS',
])
/** Beginnings of replies without such a word. */
const UNAVAILABLE_REPLIES = [
  'ERR max number of clients reached',
  'ERR Script attempted to access a non local key',
  'ERR Script attempted to execute a ',
]
/** Beginnings of messages of ioredis. */
const CONNECTION_FAILURES = [
  'Connection is closed',
  'Command timed out',
  'Command aborted',
  "Stream isn't writeable",
  'Socket timeout',
  'All sentinels are unreachable',
  'Cluster is ',
  "Cluster isn't ready",
  'None of startup nodes is available',
  'Node is disconnected',
  'Failed to refresh slots cache',
]
/** ioredis puts the last error after this. */
const REDIRECTED = 'Too many Cluster redirections. Last error: '
/** Before version 7, Redis puts the error of a script after this and `: -`. */
const SCRIPT_FAILED = 'ERR Error running script '

/** Whether the error means that Redis, or the connection to it, is unavailable: the same command may succeed later. */
export function isRedisUnavailable({ name, message }: Error): boolean {
  if (message.startsWith(REDIRECTED)) {
    const [last = '', ...rest] = message.slice(REDIRECTED.length).split(': ')
    return isRedisUnavailable({ name: last, message: rest.join(': ') })
  }
  if (name === 'MaxRetriesPerRequestError' || beginsWith(message, CONNECTION_FAILURES)) return true
  return name === 'ReplyError' && isUnavailableReply(message)
}

/** Whether the server was the master and is now a replica. */
export const isReplicaReply = (message: string): boolean =>
  ['READONLY', 'MASTERDOWN'].includes(firstWord(replyOf(message)))

function isUnavailableReply(message: string): boolean {
  const reply = replyOf(message)
  return UNAVAILABLE_CODES.has(firstWord(reply)) || beginsWith(reply, UNAVAILABLE_REPLIES)
}

const replyOf = (message: string): string =>
  message.startsWith(SCRIPT_FAILED) ? message.slice(message.indexOf(': -') + 3) : message

const firstWord = (text: string): string => text.split(' ', 1)[0] ?? ''

const beginsWith = (text: string, beginnings: readonly string[]): boolean =>
  beginnings.some((beginning) => text.startsWith(beginning))

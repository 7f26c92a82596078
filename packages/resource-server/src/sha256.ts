/** SHA-256 (FIPS 180-4) of ASCII, without a promise: WebCrypto's takes longer than the look-up that it is for. */

/** The first 32 bits of the fraction of a root. */
const fraction = (root: number): number => ((root % 1) * 2 ** 32) | 0

const PRIMES: number[] = []
for (let n = 2; PRIMES.length < 64; n++) if (PRIMES.every((prime) => n % prime !== 0)) PRIMES.push(n)
const K = Int32Array.from(PRIMES, (prime) => fraction(Math.cbrt(prime)))
const START = Int32Array.from(PRIMES.slice(0, 8), (prime) => fraction(Math.sqrt(prime)))

const w = new Int32Array(64)
const state = new Int32Array(8)

/** 16 characters that hold the 32 bytes; for keys in memory, not for the wire. */
export function sha256(ascii: string): string {
  const { length } = ascii
  const blocks = ((length + 8) >> 6) + 1
  state.set(START)
  for (let block = 0; block < blocks; block++) {
    load(ascii, block * 64)
    if (block === blocks - 1) {
      w[14] = Math.floor(length / 2 ** 29)
      w[15] = length << 3
    }
    compress()
  }
  const units: number[] = []
  for (const word of state) units.push(word >>> 16, word & 0xffff)
  return String.fromCharCode(...units)
}

/** 64 bytes from `offset` on, with the one bit that ends the message. */
function load(ascii: string, offset: number): void {
  for (let i = 0; i < 16; i++) {
    const at = offset + i * 4
    w[i] =
      (byte(ascii, at) << 24) | (byte(ascii, at + 1) << 16) | (byte(ascii, at + 2) << 8) | byte(ascii, at + 3)
  }
}

const byte = (ascii: string, at: number): number =>
  at < ascii.length ? ascii.charCodeAt(at) & 0xff : at === ascii.length ? 0x80 : 0

function compress(): void {
  for (let i = 16; i < 64; i++) {
    const [x, y] = [w[i - 15] ?? 0, w[i - 2] ?? 0]
    const s0 = ((x >>> 7) | (x << 25)) ^ ((x >>> 18) | (x << 14)) ^ (x >>> 3)
    const s1 = ((y >>> 17) | (y << 15)) ^ ((y >>> 19) | (y << 13)) ^ (y >>> 10)
    w[i] = ((w[i - 16] ?? 0) + s0 + (w[i - 7] ?? 0) + s1) | 0
  }
  let [a = 0, b = 0, c = 0, d = 0, e = 0, f = 0, g = 0, h = 0] = state
  for (let i = 0; i < 64; i++) {
    const s1 = ((e >>> 6) | (e << 26)) ^ ((e >>> 11) | (e << 21)) ^ ((e >>> 25) | (e << 7))
    const t1 = (h + s1 + ((e & f) ^ (~e & g)) + (K[i] ?? 0) + (w[i] ?? 0)) | 0
    const s0 = ((a >>> 2) | (a << 30)) ^ ((a >>> 13) | (a << 19)) ^ ((a >>> 22) | (a << 10))
    const t2 = (s0 + ((a & b) ^ (a & c) ^ (b & c))) | 0
    h = g
    g = f
    f = e
    e = (d + t1) | 0
    d = c
    c = b
    b = a
    a = (t1 + t2) | 0
  }
  const round = [a, b, c, d, e, f, g, h]
  for (let i = 0; i < 8; i++) state[i] = ((state[i] ?? 0) + (round[i] ?? 0)) | 0
}

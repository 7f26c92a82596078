/** SHA-256 (FIPS 180-4) of ASCII without a promise: WebCrypto's takes as long as the verification that a cache saves. */

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
    for (let i = 0, at = block * 64; i < 16; i++, at += 4)
      w[i] =
        at + 3 < length
          ? (ascii.charCodeAt(at) << 24) |
            (ascii.charCodeAt(at + 1) << 16) |
            (ascii.charCodeAt(at + 2) << 8) |
            ascii.charCodeAt(at + 3)
          : ending(ascii, at)
    // Tokens are bounded far below the 2^29 bytes at which the length takes a second word.
    if (block === blocks - 1) w[15] = length << 3
    compress()
  }
  const units: number[] = []
  for (let i = 0; i < 8; i++) units.push(at(state, i) >>> 16, at(state, i) & 0xffff)
  return String.fromCharCode(...units)
}

/** A word that is not wholly text: after the text comes one bit, then zeros. */
function ending(ascii: string, from: number): number {
  let word = 0
  for (let i = from; i < from + 4; i++)
    word = (word << 8) | (i < ascii.length ? ascii.charCodeAt(i) : i === ascii.length ? 0x80 : 0)
  return word
}

const at = (words: Int32Array, i: number): number => words[i] ?? 0

function compress(): void {
  for (let i = 16; i < 64; i++) {
    const x = at(w, i - 15)
    const y = at(w, i - 2)
    const s0 = ((x >>> 7) | (x << 25)) ^ ((x >>> 18) | (x << 14)) ^ (x >>> 3)
    const s1 = ((y >>> 17) | (y << 15)) ^ ((y >>> 19) | (y << 13)) ^ (y >>> 10)
    w[i] = (at(w, i - 16) + s0 + at(w, i - 7) + s1) | 0
  }
  let a = at(state, 0)
  let b = at(state, 1)
  let c = at(state, 2)
  let d = at(state, 3)
  let e = at(state, 4)
  let f = at(state, 5)
  let g = at(state, 6)
  let h = at(state, 7)
  for (let i = 0; i < 64; i++) {
    const s1 = ((e >>> 6) | (e << 26)) ^ ((e >>> 11) | (e << 21)) ^ ((e >>> 25) | (e << 7))
    const t1 = (h + s1 + ((e & f) ^ (~e & g)) + at(K, i) + at(w, i)) | 0
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
  state[0] = at(state, 0) + a
  state[1] = at(state, 1) + b
  state[2] = at(state, 2) + c
  state[3] = at(state, 3) + d
  state[4] = at(state, 4) + e
  state[5] = at(state, 5) + f
  state[6] = at(state, 6) + g
  state[7] = at(state, 7) + h
}

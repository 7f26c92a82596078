/** The hashes of the runtime. Those in JavaScript, which core has for every runtime, take about five times as long. */

import { createHmac, hash } from 'node:crypto'
import type { Hashes } from '@ostiary/core'

export const runtimeHashes: Hashes = {
  sha256: (text) => hash('sha256', text, 'base64url'),
  hmac: (key, text) => createHmac('sha256', key).update(text).digest('base64url'),
}

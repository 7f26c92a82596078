/** What rows and seals consist of, for packages that show or compare them. */

export { DERIVED_MEMBERS, membersOf, SECRET_MEMBERS } from './changes.js'
export { minuteOf } from './minute.js'
export { dataOf, hashOfRow, idAt, privateHash, privateOf, referenceOf, sha256 } from './row.js'
export { hashOfRows, kidOf, OPEN_SECONDS, partOf } from './seals.js'

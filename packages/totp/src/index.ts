export { qrPath } from './qr-path.js'
export { acceptedStep, type CodeTime, codeOfStep, newTotpSecret, STEP_SECONDS } from './totp.js'
export { base32, groupedSecret, type TotpLabel, totpUri } from './totp-uri.js'

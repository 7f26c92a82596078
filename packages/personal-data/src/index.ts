export type { ExportResult, OpenedRealm, StoreFunctions } from './command-types.js'
export type {
  ExportedFactor,
  ExportedRow,
  ExportedTicket,
  ExportedUser,
  PersonalData,
  PersonalDataSources,
} from './document.js'
export { personalData } from './personal-data.js'
export { exportUser, printed } from './run.js'

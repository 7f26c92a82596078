export type {
  ExportedFactor,
  ExportedRow,
  ExportedTicket,
  ExportedUser,
  PersonalData,
  PersonalDataSources,
} from './document.js'
export { personalData } from './personal-data.js'

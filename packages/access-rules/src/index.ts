export { type ApplicationsOptions, type ClientPages, createApplications } from './applications.js'
export { helpFault, refusedPage } from './refused.js'

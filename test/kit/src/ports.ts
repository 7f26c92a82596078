export { freePort } from '@ostiary/local-services/ports'

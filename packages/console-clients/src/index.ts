export { clientsArea } from './area.js'

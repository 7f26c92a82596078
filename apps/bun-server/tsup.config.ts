export { default } from '../../tsup.server.js'

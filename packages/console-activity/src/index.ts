export { type ActivityOptions, withActivity } from './areas.js'

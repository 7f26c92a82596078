export { settingsAreas } from './areas.js'

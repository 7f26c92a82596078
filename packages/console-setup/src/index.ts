export { setupAreas } from './areas.js'

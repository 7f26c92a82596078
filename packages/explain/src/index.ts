export { explain, type Story, type StoryPlace } from './story.js'

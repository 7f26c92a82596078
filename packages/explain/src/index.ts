export type { StoryRecords } from './facts.js'
export { explain, type Story, type StoryPlace } from './story.js'
export { storyText } from './story-text.js'

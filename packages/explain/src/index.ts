export type { StoryRecords } from './facts.js'
export { explain, type Story } from './story.js'
export { storyText } from './story-text.js'

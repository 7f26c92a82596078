/** What the admin API of a server does as the commands do. */

export { explain, type Story } from './audit/story.js'

export { createProject, type Project, ProjectError, type ProjectOptions } from './project.js'
export type { TemplateName } from './templates.js'

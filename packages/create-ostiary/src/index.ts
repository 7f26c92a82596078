export { createProject, type Project, ProjectError, type ProjectOptions } from './project.js'
export { TEMPLATES, type TemplateName } from './templates.js'

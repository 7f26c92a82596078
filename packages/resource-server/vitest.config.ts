export { FROM_SOURCES as default } from '../../vitest.shared.ts'

export * from './ports.js'

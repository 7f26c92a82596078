import { documentFloods } from './document-floods.ts'

documentFloods(10_000)

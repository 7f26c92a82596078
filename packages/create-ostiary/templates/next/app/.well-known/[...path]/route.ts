export { provide as GET, provide as OPTIONS } from '../../../application.ts'

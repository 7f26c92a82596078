export { provide as GET, provide as OPTIONS } from '../../../lib/app'

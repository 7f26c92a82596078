export {
  provide as DELETE,
  provide as GET,
  provide as OPTIONS,
  provide as POST,
} from '../../../application.ts'

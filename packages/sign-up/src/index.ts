export { type SignUpSettings, signUpFaults } from './settings.js'
export { createSignUp, type SignUpOptions } from './sign-up.js'

export { type AddressOptions, type AddressSettings, createAddresses } from './addresses.js'

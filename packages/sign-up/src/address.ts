/** Of an address. */
export const domainOf = (address: string): string => address.slice(address.indexOf('@') + 1)

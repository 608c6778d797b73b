/** Where the programs are in the image. */
export const programFolder = '/opt/zun';

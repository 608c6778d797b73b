import { validationError } from '../errors/catalogue.ts';

/** Throws ValidationError (400) for a driver that is not configured. Origin: zun/common/utils.py, validate_image_driver. */
export function requireImageDriver(driver: string | null, configured: readonly string[]): void {
  if (driver === null || !configured.includes(driver)) {
    throw validationError('Invalid input for image_driver, it should be within the image drivers list');
  }
}

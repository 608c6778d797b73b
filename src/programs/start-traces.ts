/** The part of OpenTelemetry's SDK that is used. */
interface Sdk {
  start(): void;
  shutdown(): Promise<void>;
}

/** Not a dependency: most do without traces, and it brings more packages than everything else together. */
const sdkPackage = '@opentelemetry/sdk-node';

/**
 * Starts OpenTelemetry's SDK, which the operator has installed beside this program and configures with its own `OTEL_…` variables;
 * answers how to send what is left and end. Throws in words for the operator when it is not there.
 */
export async function startTraces(): Promise<() => Promise<void>> {
  let sdk: Sdk;
  try {
    const { NodeSDK } = (await import(sdkPackage)) as { NodeSDK: new () => Sdk };
    sdk = new NodeSDK();
  } catch (error) {
    const words = error instanceof Error ? error.message : String(error);
    throw new Error(`ZUN_TRACES=on needs the package ${sdkPackage} (npm install --no-save ${sdkPackage}): ${words}`, { cause: error });
  }
  sdk.start();
  // Spans that a collector did not take in time are no reason to stay.
  return () => sdk.shutdown().catch(() => {});
}

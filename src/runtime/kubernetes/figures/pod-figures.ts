/** What a container uses, as somebody measured it of late. */
export interface PodFigures {
  cores: number;
  memoryBytes: number;
  /** Of the whole Pod, since it began. */
  receivedBytes: number;
  sentBytes: number;
}

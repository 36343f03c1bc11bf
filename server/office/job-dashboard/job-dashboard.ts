/** Pages that show the jobs of the queue; only asked to read. */
export interface JobDashboard {
  answer: (request: Request) => Promise<Response>;
}

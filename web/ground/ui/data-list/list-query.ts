/** What a list needs to know of its query: a part of what useQuery and useInfiniteQuery return. */
export interface ListQuery {
  isPending: boolean;
  isError: boolean;
  isFetching: boolean;
  /** Whether the rows are those of the search before. */
  isPlaceholderData: boolean;
  error: Error | null;
  refetch: () => unknown;
  hasNextPage?: boolean;
  isFetchingNextPage?: boolean;
  fetchNextPage?: () => unknown;
}

extension PushClient {
    /// Sends a request and returns once the server accepted it.
    func send(_ request: PushRequest) async throws {
        try Task.checkCancellation()
        do {
            try await transport.send(request, timeout: configuration.timeout).accepted()
        } catch let error as PushResponseError {
            throw PushError.networkFailure(error.reason, error)
        } catch let error as PushTransportError {
            throw PushError.networkFailure(error.reason, error)
        }
    }
}

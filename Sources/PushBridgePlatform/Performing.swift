package import Foundation
package import PushBridgeCore

// The two functions of this file perform operations. They pass each request to `prepare`, in which an API adds the
// values that all of its requests share.

extension PushTransport {
    /// Sends the requests of an operation one after another.
    /// - Returns: The operation after the last response.
    /// - Throws: ``PushFailure``, with `CancellationError` as its cause if the task was cancelled.
    package func perform<Operation: PushOperation>(
        _ operation: Operation,
        timeout: TimeInterval,
        hooks: NetworkHooks = .shared,
        preparing prepare: (inout PushRequest) -> Void
    ) async throws(PushFailure) -> Operation {
        var operation = operation
        var next = try operation.begin()
        while let request = next {
            var prepared = request
            prepare(&prepared)
            let response: PushResponse
            do {
                try Task.checkCancellation()
                response = try await deliver(prepared, timeout: timeout, hooks: hooks)
            } catch {
                throw PushFailure(unanswered: error)
            }
            next = try operation.next(after: response, to: request)
        }
        return operation
    }

    /// Sends the requests of an operation one after another, and calls `completion` once, with the operation or a
    /// failure.
    ///
    /// `completion` is called after the last response, on a background queue that it may block. If the
    /// operation cannot create its first request, `completion` is called immediately on the caller's thread.
    package func perform<Operation: PushOperation>(
        _ operation: Operation,
        timeout: TimeInterval,
        hooks: NetworkHooks = .shared,
        preparing prepare: @escaping (inout PushRequest) -> Void,
        completion: @escaping (Result<Operation, PushFailure>) -> Void
    ) {
        func send(_ next: PushRequest?, of operation: Operation) {
            guard let request = next else { return completion(.success(operation)) }
            var prepared = request
            prepare(&prepared)
            deliver(prepared, timeout: timeout, hooks: hooks) { outcome in
                var operation = operation
                do throws(PushFailure) {
                    let response = try outcome.mapError(PushFailure.init(unanswered:)).get()
                    send(try operation.next(after: response, to: request), of: operation)
                } catch {
                    completion(.failure(error))
                }
            }
        }
        var operation = operation
        do throws(PushFailure) {
            send(try operation.begin(), of: operation)
        } catch {
            completion(.failure(error))
        }
    }
}

extension PushOperation {
    fileprivate mutating func begin() throws(PushFailure) -> PushRequest? {
        do {
            return try firstRequest()
        } catch {
            throw .failed(error)
        }
    }

    fileprivate mutating func next(
        after response: PushResponse,
        to request: PushRequest
    ) throws(PushFailure) -> PushRequest? {
        do {
            return try self.request(after: response)
        } catch {
            throw .refused(error, response, to: request)
        }
    }
}

extension PushFailure {
    /// Creates the failure of a request without a response.
    fileprivate init(unanswered error: any Error) {
        switch PushTransportError(error) {
        case .invalidAddress, .invalidRequest, nil: self = .failed(error)
        default: self = .unanswered(error)
        }
    }
}

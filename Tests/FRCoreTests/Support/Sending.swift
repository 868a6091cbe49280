import Dispatch
import FRCore

/// Sends a request through a client and returns the outcome.
func send(_ request: Request, _ action: Action? = nil, through client: RestClient = .shared) -> Outcome {
    switch client.invokeSync(request: request, action: action) {
    case .success(let result, _): .success(Array(result.keys))
    case .failure(let error as NetworkError): .failure(error.errorCode)
    case .failure: .failure(0)
    }
}

/// The outcome of a request, in a form that tests can compare.
enum Outcome: Equatable {
    case success([String])
    case failure(Int)
}

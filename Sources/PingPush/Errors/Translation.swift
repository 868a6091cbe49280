/// Runs a storage operation and gives its errors the API's names.
func storing<Value>(_ body: () throws -> Value) throws -> Value {
    do {
        return try body()
    } catch let error as StoreError {
        throw PushStorageError.storageFailure(error.reason, error)
    }
}

extension PushError {
    init(_ error: RegistrationURIError) {
        switch error {
        case .malformed: self = .invalidUri("It is not of the shape scheme://kind/label?parameters.")
        case .unsupported: self = .invalidUri("It is not for push.")
        case .missing(let parameter): self = .missingRequiredParameter(parameter)
        case .invalid(let parameter): self = .invalidParameterValue("\(parameter) cannot be read.")
        }
    }

    init(_ error: PushReceptionError) {
        let reason =
            switch error {
            case .tooLarge: "It is too large."
            case .token(.signatureMismatch): "Its signature is wrong."
            case .token(.unsupportedAlgorithm): "It is not signed with HS256."
            case .token(.malformed): "Its token is malformed."
            case .missingClaim(let name): "It lacks the claim \(name)."
            case .invalidClaim(let name): "Its claim \(name) makes no sense."
            case .unknownCredential: "No credential is known that it could be for."
            case .wrongCredential: "It is for another credential."
            case .messageTaken: "Its message id belongs to another credential's push."
            }
        self = .messageParsingFailed(reason)
    }
}

extension PushResponseError {
    /// One sentence for a human.
    var reason: String {
        switch self {
        case .refused(let status, let message): Self.text("The server refused", status, message)
        case .redirected(let status): "The server redirected (HTTP \(status)); redirects are not followed."
        case .serverFault(let status, let message): Self.text("The server failed", status, message)
        case .unexpected(let status): "The server answered with the unexpected status \(status)."
        }
    }

    private static func text(_ what: String, _ status: Int, _ message: String?) -> String {
        message.map { "\(what) (HTTP \(status)): \($0)" } ?? "\(what) (HTTP \(status))."
    }
}

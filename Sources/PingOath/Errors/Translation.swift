import Foundation

/// Runs a storage operation and gives its errors the API's names.
func storing<Value>(_ body: () throws -> Value) throws -> Value {
    do {
        return try body()
    } catch let error as StoreError {
        throw OathStorageError.storageFailure(error.reason, error)
    }
}

/// Runs an operation of an app's own storage and gives its errors the API's names.
func storing<Value: Sendable>(_ body: () async throws -> Value) async throws -> Value {
    do {
        return try await body()
    } catch let error where error is OathStorageError || error is OathError || error is CancellationError {
        throw error
    } catch let error as StoreError {
        throw OathStorageError.storageFailure(error.reason, error)
    } catch {
        throw OathStorageError.storageFailure(error.localizedDescription, error)
    }
}

extension OathError {
    init(_ error: RegistrationURIError, in uri: String) {
        switch error {
        case .malformed: self = .invalidUri("It is not of the shape scheme://kind/label?parameters.")
        case .unsupported where uri.lowercased().hasPrefix("otpauth:"):
            self = .invalidOathType("It is neither totp nor hotp.")
        case .unsupported: self = .invalidUri("It is not for one-time passwords.")
        case .missing(let parameter): self = .missingRequiredParameter(parameter)
        case .invalid(parameter: "secret"): self = .invalidSecret("It is not base32.")
        case .invalid(parameter: "algorithm"): self = .invalidAlgorithm("It is not known.")
        case .invalid(let parameter): self = .invalidParameterValue("\(parameter) cannot be read.")
        }
    }

    init(_ error: OneTimePasswordError) {
        let reason =
            switch error {
            case .unsupportedDigits(let digits): "Codes of \(digits) digits are not supported."
            case .unsupportedPeriod(let period): "A period of \(period) seconds makes no sense."
            case .negativeCounter: "The counter, or the clock, is before its beginning."
            case .truncationOutOfBounds: "The hash function yields too few bytes this time."
            }
        self = .codeGenerationFailed(reason, error)
    }
}

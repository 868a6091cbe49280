package import Foundation

#if canImport(FoundationNetworking)
import FoundationNetworking
#endif

extension PushTransportError {
    package init(_ error: URLError) {
        switch error.code {
        case .badURL, .unsupportedURL: self = .invalidAddress
        case .cannotFindHost, .dnsLookupFailed: self = .hostNotFound
        case .cannotConnectToHost, .networkConnectionLost: self = .connectionFailed
        case .timedOut: self = .timedOut
        case .notConnectedToInternet: self = .offline
        // Cancelled is what a handler that pins certificates refused.
        case .cancelled, .secureConnectionFailed, .serverCertificateUntrusted, .serverCertificateHasBadDate,
            .serverCertificateHasUnknownRoot, .serverCertificateNotYetValid, .clientCertificateRejected,
            .clientCertificateRequired:
            self = .tls
        // Foundation on Linux has no code of its own for what OpenSSL reports.
        case .unknown where error.localizedDescription.contains("SSL"): self = .tls
        default: self = .failed(code: error.errorCode)
        }
    }

    /// The error by which callers of URLSession know this one.
    package var urlError: URLError {
        switch self {
        case .invalidAddress, .invalidRequest: URLError(.badURL)
        case .hostNotFound: URLError(.cannotFindHost)
        case .connectionFailed: URLError(.cannotConnectToHost)
        case .tls: URLError(.secureConnectionFailed)
        case .timedOut: URLError(.timedOut)
        case .offline: URLError(.notConnectedToInternet)
        case .failed(let code): URLError(Self.code(code) ?? .unknown)
        }
    }

    /// Only some platforms know codes that are none.
    private static func code(_ number: Int) -> URLError.Code? { URLError.Code(rawValue: number) }
}

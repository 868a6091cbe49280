import Foundation
import PushBridgePlatform
import Testing

#if canImport(FoundationNetworking)
import FoundationNetworking
#endif

@Suite("Reasons why a request has no response")
struct URLErrorTests {
    @Test(
        arguments: [
            (.cannotFindHost, .hostNotFound), (.dnsLookupFailed, .hostNotFound), (.timedOut, .timedOut),
            (.cannotConnectToHost, .connectionFailed), (.networkConnectionLost, .connectionFailed),
            (.notConnectedToInternet, .offline), (.secureConnectionFailed, .tls),
            (.serverCertificateUntrusted, .tls), (.badURL, .invalidAddress),
            (.cannotDecodeRawData, .failed(code: URLError.cannotDecodeRawData.rawValue)),
        ] as [(URLError.Code, PushTransportError)]
    )
    func eachURLErrorBecomesATransportError(_ code: URLError.Code, _ error: PushTransportError) {
        #expect(PushTransportError(URLError(code)) == error)
    }
}

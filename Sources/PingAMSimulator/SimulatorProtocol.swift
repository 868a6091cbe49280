import Foundation
import PushBridgeCore
import PushBridgePlatform

#if canImport(FoundationNetworking)
public import FoundationNetworking
#endif

extension Simulator {
    /// A configuration with which sessions send requests for a simulator's address to the simulator itself.
    ///
    /// The simulator must be in this process. The sessions write no cookies, responses or credentials to disk.
    public static var sessionConfiguration: URLSessionConfiguration {
        let configuration = URLSessionConfiguration.ephemeral
        configuration.protocolClasses = [SimulatorProtocol.self] + (configuration.protocolClasses ?? [])
        return configuration
    }
}

/// A unique address of a simulator in this process.
///
/// The address is valid as long as the simulator exists.
final class SimulatorAddress: Sendable {
    private static let simulators = Lock<[String: Reference]>([:])

    private struct Reference {
        weak var simulator: Simulator?
    }

    private let host = "\(UUID().uuidString.lowercased()).simulator.invalid"

    var base: String { "https://\(host)/am" }

    func lead(to simulator: Simulator) {
        Self.simulators.withValue { $0[host] = Reference(simulator: simulator) }
    }

    deinit {
        Self.simulators.withValue { $0[host] = nil }
    }

    static func simulator(at url: URL?) -> Simulator? {
        guard let host = url?.host else { return nil }
        return simulators.withValue { $0[host]?.simulator }
    }
}

/// Forwards each request of a `URLSession` to the simulator at the request's address.
private final class SimulatorProtocol: URLProtocol {
    private let loading = Lock<Task<Void, Never>?>(nil)

    override class func canInit(with request: URLRequest) -> Bool {
        SimulatorAddress.simulator(at: request.url) != nil
    }

    override class func canonicalRequest(for request: URLRequest) -> URLRequest { request }

    override func startLoading() {
        // Until the session calls `stopLoading`, only this task uses the client, so the task may use `self`.
        nonisolated(unsafe) let loader = self
        let task = Task { await loader.load() }
        loading.withValue { $0 = task }
    }

    override func stopLoading() {
        loading.withValue { $0?.cancel() }
    }

    private func load() async {
        do {
            guard
                let url = request.url, let simulator = SimulatorAddress.simulator(at: url),
                let response = try await simulator.respond(to: SimulatedRequest(request, url: url)),
                let head = HTTPURLResponse(
                    url: url,
                    statusCode: response.status,
                    httpVersion: "HTTP/1.1",
                    headerFields: response.headers
                )
            else { throw URLError(.networkConnectionLost) }
            // If the request was cancelled, calling its client would terminate the process.
            guard !Task.isCancelled else { return }
            client?.urlProtocol(self, didReceive: head, cacheStoragePolicy: .notAllowed)
            client?.urlProtocol(self, didLoad: response.body)
            client?.urlProtocolDidFinishLoading(self)
        } catch {
            guard !Task.isCancelled else { return }
            client?.urlProtocol(self, didFailWithError: error)
        }
    }
}

extension SimulatedRequest {
    fileprivate init(_ request: URLRequest, url: URL) {
        self.init(
            request.httpMethod ?? "GET",
            url: url,
            headers: request.allHTTPHeaderFields ?? [:],
            body: request.httpBody ?? request.httpBodyStream.map(Data.init(reading:)) ?? Data()
        )
    }
}

extension Data {
    /// Reads all bytes of a stream.
    ///
    /// On Apple platforms Foundation converts the body of a request to a stream.
    fileprivate init(reading stream: InputStream) {
        self.init()
        stream.open()
        defer { stream.close() }
        var buffer = [UInt8](repeating: 0, count: 16 * 1024)
        while case let count = stream.read(&buffer, maxLength: buffer.count), count > 0 {
            append(contentsOf: buffer[..<count])
        }
    }
}

public import CredentialMigration
import FlyingFox
import Foundation
import PingAMSimulator
import PingAMSimulatorServer
import PushBridgeCommandLine
import PushBridgeCore
public import PushParity

/// The server of the lab.
///
/// The lab runs both APIs side by side on this machine, and shows them on a page.
public final class LabServer: Sendable {
    /// Creates the page with the report of a migration.
    ///
    /// The arguments are the name of the store, the name of the phone, and the receipt.
    public typealias MigrationPage = @Sendable (String, String, MigrationReceipt) throws -> String

    /// The address of the page.
    ///
    /// The address contains a random token, which works as a password.
    public let url: String

    private let lab: Lab
    private let listener: HTTPListener
    private let heartbeat: Task<Void, any Error>
    private let isStopping = Lock(false)

    /// Starts the lab, and returns when the lab listens.
    ///
    /// - Parameters:
    ///   - scenario: The steps to play before the page opens, if any.
    ///   - address: The numeric address of this machine on which the lab listens.
    ///   - port: The port; 0 selects any free port.
    ///   - picture: Creates a QR code of a string as an SVG image; returns `nil` if the string is too long.
    ///   - report: Creates the report of a migration.
    /// - Returns: The server, which listens until ``stop()`` is called.
    /// - Throws: ``ParityError`` if the scenario cannot be played, `SimulatorError` if the port cannot be opened, and
    ///   another error if the lab cannot create its folder.
    public static func start(
        _ scenario: Scenario,
        on address: String = "127.0.0.1",
        port: UInt16 = 0,
        picture: @escaping @Sendable (String) -> String?,
        report: @escaping MigrationPage
    ) async throws -> LabServer {
        let lab = try await Lab(scenario, on: address)
        let door = LabDoor()
        let front = LabFront(lab: lab, door: door, picture: picture, report: report)
        let listener: HTTPListener
        do {
            guard let place = ListenAddress(address) else {
                throw SimulatorError(
                    code: .portUnavailable,
                    reason: "\(address) is not an address of this machine."
                )
            }
            listener = try await HTTPListener.start(at: place.at(port: port), handler: front.handle)
        } catch {
            await lab.end()
            throw error
        }
        let names = address == "127.0.0.1" ? [address, "localhost"] : [address]
        door.open(to: Set(names.map { "\($0):\(listener.port)" }))
        return LabServer(lab, listener, url: "http://\(address):\(listener.port)/\(door.token)/")
    }

    /// Removes the dropped stores of killed labs.
    /// - Returns: The number of killed labs whose stores were removed.
    public static func removeLeftOvers() -> Int { DroppedStores.removeLeftOvers() }

    private init(_ lab: Lab, _ listener: HTTPListener, url: String) {
        self.lab = lab
        self.listener = listener
        self.url = url
        heartbeat = Task {
            while true {
                try await Task.sleep(for: .seconds(20))
                await lab.repeatState()
            }
        }
    }

    /// Ends the lab.
    ///
    /// The connections of its windows are closed, and its stores are removed.
    public func stop() async {
        isStopping.withValue { $0 = true }
        heartbeat.cancel()
        await lab.end()
        await listener.stop()
    }

    /// Waits until the server stops.
    ///
    /// - Throws: `SimulatorError` if the server cannot continue, for example because there are no free file
    ///   descriptors.
    public func waitUntilStopped() async throws {
        do {
            try await listener.waitUntilStopped()
        } catch {
            guard isStopping.withValue({ $0 }) else { throw error }
        }
    }
}

/// Rejects requests to other hosts, requests from other sites' pages, and requests without the lab's random token.
final class LabDoor: Sendable {
    /// The first component of every path.
    let token = UUID().uuidString.lowercased()
    private let authorities = Lock<Set<String>>([])

    /// Admits requests only to the given hosts.
    ///
    /// Each host includes its port.
    func open(to authorities: Set<String>) {
        self.authorities.withValue { $0 = authorities }
    }

    /// Returns whether a request names this server and does not originate from another site's page.
    ///
    /// The check is necessary because browsers let every page send requests to this machine. A page whose
    /// host name resolves to this machine could also read the responses.
    func admits(_ request: HTTPRequest) -> Bool {
        guard let host = request.headers[.host]?.lowercased(),
            authorities.withValue({ $0.contains(host) })
        else { return false }
        if let origin = request.origin, origin.lowercased() != "http://\(host)" { return false }
        let site = request.headers[HTTPHeader("Sec-Fetch-Site")]
        return site.map { ["same-origin", "none"].contains($0) } ?? true
    }

    /// Returns the path components that follow the token; `nil` if the path does not begin with the token and a slash.
    func path(of request: HTTPRequest) -> [String]? {
        let parts = request.target.path(percentEncoded: false)
            .split(separator: "/", omittingEmptySubsequences: false).dropFirst().map(String.init)
        guard parts.count > 1, parts.first == token else { return nil }
        return Array(parts.dropFirst())
    }
}

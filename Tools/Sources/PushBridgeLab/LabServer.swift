public import CredentialMigration
import FlyingFox
import Foundation
import PingAMSimulator
import PingAMSimulatorServer
import PushBridgeCore
public import PushParity

/// The lab: a page on this machine with both APIs side by side, driven by what a person clicks.
public final class LabServer: Sendable {
    /// Makes the page that reports a migration: of the store's name, the phone's, and what became of each record.
    public typealias MigrationPage = @Sendable (String, String, MigrationReceipt) throws -> String

    /// The address of the page; random, and works as a password.
    public let url: String

    private let lab: Lab
    private let listener: HTTPListener
    private let heartbeat: Task<Void, any Error>
    private let isStopping = Lock(false)

    /// Starts the lab and returns once it listens.
    ///
    /// - Parameters:
    ///   - scenario: The steps to play before the page opens; without steps, nothing.
    ///   - address: The address of this machine to listen on, as digits.
    ///   - port: The port; 0 takes any free one.
    ///   - picture: Makes an SVG image of a QR code of a text; `nil` if it is too long.
    ///   - report: Makes the report of a migration.
    /// - Returns: The server, which listens until ``stop()``.
    /// - Throws: ``ParityError`` if the scenario cannot be played, and `SimulatorError` if the port cannot be opened.
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

    /// Removes the dropped stores of labs that were killed.
    /// - Returns: How many labs left some.
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

    /// Ends the lab: closes its windows' connections and removes its stores.
    public func stop() async {
        isStopping.withValue { $0 = true }
        heartbeat.cancel()
        await lab.end()
        await listener.stop()
    }

    /// Waits until the server stops.
    ///
    /// - Throws: `SimulatorError` if it cannot go on, such as without file descriptors.
    public func waitUntilStopped() async throws {
        do {
            try await listener.waitUntilStopped()
        } catch {
            guard isStopping.withValue({ $0 }) else { throw error }
        }
    }
}

/// The requests that are admitted: those of pages of this lab that know its random address.
final class LabDoor: Sendable {
    /// The first name of every path.
    let token = UUID().uuidString.lowercased()
    private let authorities = Lock<Set<String>>([])

    /// Lets requests in that name one of these hosts, with its port.
    func open(to authorities: Set<String>) {
        self.authorities.withValue { $0 = authorities }
    }

    /// Whether a request names this server, and comes from none but its own pages.
    ///
    /// A browser lets any page send requests to this machine, and a page whose name resolves to it also read responses.
    func admits(_ request: HTTPRequest) -> Bool {
        guard let host = request.headers[.host]?.lowercased(),
            authorities.withValue({ $0.contains(host) })
        else { return false }
        if let origin = request.origin, origin.lowercased() != "http://\(host)" { return false }
        let site = request.headers[HTTPHeader("Sec-Fetch-Site")]
        return site.map { ["same-origin", "none"].contains($0) } ?? true
    }

    /// What follows the token in a request's path; `nil` if it names another one.
    func path(of request: HTTPRequest) -> [String]? {
        let parts = request.target.path(percentEncoded: false)
            .split(separator: "/", omittingEmptySubsequences: false).dropFirst().map(String.init)
        guard parts.count > 1, parts.first == token else { return nil }
        return Array(parts.dropFirst())
    }
}

public import Foundation
public import PushBridgeCore

/// A PingAM push service as a value: requests and the time go in, replies come out.
///
/// Only ids, secrets and challenges are random, and not even those with ``ServiceSettings/seed``.
public struct SimulatedService: Sendable {
    /// How the service is set up.
    public var settings: ServiceSettings
    /// The registered devices by mechanism UID.
    public internal(set) var devices: [String: SimulatedDevice] = [:]
    /// Every request to the push service, in the order of arrival.
    public internal(set) var journal: [JournalEntry] = []

    var registrations: [String: WaitingRegistration] = [:]
    var pushes: [String: SimulatedPush] = [:]
    var chance: Chance
    private var faults: [ArmedFault] = []
    private var messagesSent = 0

    /// Creates a service that knows no device.
    public init(settings: ServiceSettings = ServiceSettings()) {
        self.settings = settings
        chance = Chance(seed: settings.seed)
    }

    /// Registers a device without a QR code, replacing one with the same id.
    public mutating func add(_ device: SimulatedDevice) {
        devices[device.mechanismUid] = device
    }

    /// Forgets a device, as when its user removes it at the server; answers whether there was one.
    @discardableResult
    public mutating func removeDevice(_ mechanismUid: String) -> Bool {
        devices.removeValue(forKey: mechanismUid) != nil
    }

    /// Lets the next `times` requests fail; faults strike in the order they were armed.
    ///
    /// `action` narrows that to requests of one kind, `mechanismUid` to token updates of one device.
    public mutating func arm(
        _ fault: Fault,
        times: Int = 1,
        action: PushRequest.Action? = nil,
        mechanismUid: String? = nil
    ) {
        faults.append(
            ArmedFault(fault: fault, action: action, mechanismUid: mechanismUid, remaining: times)
        )
    }

    /// Handles a request to the push service or to the control endpoints.
    public mutating func handle(_ request: SimulatedRequest, at now: Date) -> SimulatedReply {
        if request.path.split(separator: "/").first == "control" { return control(request, at: now) }
        let reply = serve(request, at: now)
        journal.append(JournalEntry(request, status: reply.response?.status))
        return reply
    }

    /// The node whose turn it is to send a message.
    mutating func nextSender() -> String? {
        defer { messagesSent += 1 }
        return settings.topology.sender(of: messagesSent)
    }

    private mutating func serve(_ request: SimulatedRequest, at now: Date) -> SimulatedReply {
        guard let fault = takeFault(for: request) else { return SimulatedReply(answer(request, at: now)) }
        guard !fault.preventsHandling else { return fault.reply(insteadOf: SimulatedResponse()) }
        return fault.reply(insteadOf: answer(request, at: now))
    }

    private mutating func takeFault(for request: SimulatedRequest) -> Fault? {
        guard let index = faults.firstIndex(where: { $0.strikes(request) }) else { return nil }
        faults[index].remaining -= 1
        let fault = faults[index].fault
        faults.removeAll { $0.remaining <= 0 }
        return fault
    }
}

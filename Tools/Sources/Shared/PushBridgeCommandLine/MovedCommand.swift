/// A command that is listed by `pushbridge` and run by a companion.
public enum MovedCommand: String, CaseIterable, Sendable {
    case simulate
    case phone
    case parity
    case lab
    case rehearse
    case conform
    case fleet
    case apns
    case audit

    /// The purpose of the command, for the help of `pushbridge` and of the companion.
    public var abstract: String {
        switch self {
        case .simulate:
            "Simulate a PingAM push service on this machine; all data is lost when the command ends."
        case .phone: "Simulate a device: enrol, receive pushes from the stand-in for APNs, and answer them."
        case .parity: "Play scenarios on both APIs, against a simulated service, and compare what happens."
        case .lab: "Open a page with both APIs side by side: each phone's screen, API calls and requests."
        case .rehearse: "Let credentials answer logins at a simulated push service, without changing a store."
        case .conform:
            "Test the responses of a push service, and report which version of PingAM it resembles."
        case .fleet: "Decide whether a roll-out should continue, from the migration events of all phones."
        case .apns:
            "Run a stand-in for Apple's push service, send a push to it or to Apple, or explain a refusal."
        case .audit: "List every use of the legacy SDK in an app's code, with its replacement."
        }
    }

    /// The executable that runs the command.
    package var companion: Companion {
        switch self {
        case .simulate, .phone, .parity, .lab, .rehearse, .conform: .trying
        case .fleet: .fleet
        case .apns: .apns
        case .audit: .audit
        }
    }

    /// The companion's arguments that precede the user's arguments.
    package var first: [String] { companion.name == Companion.trying.name ? [rawValue] : [] }
}

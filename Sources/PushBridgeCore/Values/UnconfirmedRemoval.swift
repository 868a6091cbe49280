public import Foundation

/// A session of the user's, or of an administrator's, at a PingAM server; only the app can have one.
public struct PushServerSession: Equatable, Sendable {
    /// The header field that carries the session.
    let header: PushRequest.Header
    /// The name of the user's identity at the server; `nil` is what the credential knows, and else its account's name:
    /// that is a guess, with which a profile can be removed, but not be found to be gone already.
    let userId: String?

    /// Creates a session that a cookie carries.
    /// - Parameters:
    ///   - name: The name of the server's session cookie; the standard one unless its administrator chose another.
    ///   - value: The session.
    ///   - userId: The name of the user's identity at the server; `nil` is what the credential knows, or else its
    ///     account's name, which does not show whether a profile is gone already.
    public init(cookie name: String = "iPlanetDirectoryPro", value: String, userId: String? = nil) {
        self.init(header: "Cookie", value: "\(name)=\(value)", userId: userId)
    }

    /// Creates a session that its own header field carries, for gateways.
    /// - Parameters:
    ///   - name: The name of the header field.
    ///   - value: Its value.
    ///   - userId: The name of the user's identity at the server; `nil` is what the credential knows, or else its
    ///     account's name, which does not show whether a profile is gone already.
    public init(header name: String, value: String, userId: String? = nil) {
        header = PushRequest.Header(name, value)
        self.userId = userId
    }
}

extension PushServerSession: CustomStringConvertible, Concealed {
    /// Never the session.
    public var description: String { "PushServerSession(\(header.name))" }
}

/// What became of a removal that begins at the server.
public enum RemovalOutcome: Equatable, Sendable {
    /// Gone at the server, and then here.
    case removed
    /// The server did not remove the device's profile, so nothing is gone here; the removal is still unconfirmed.
    case owed(RemovalObstacle)
    /// Nothing of it is stored here, so no server was asked.
    case notStored
}

/// Why a server did not remove a device's profile.
public enum RemovalObstacle: Error, Hashable, Sendable {
    /// The app has no session at the server.
    case noSession
    /// The server could not be reached, or its answer was lost or not the server's.
    case unreachable
    /// The registration's address does not tell where the server keeps profiles.
    case noAddress
    /// The server's list of devices does not show which of them this one is.
    case unknownProfile
    /// The server refused; after 401 and 403 the session is not good enough.
    case refused(status: Int)
}

/// A removal that was asked for and that the server has not agreed to yet.
///
/// It is stored before the server is asked, and ends with the credential: a credential that was removed here was removed there.
public struct UnconfirmedRemoval: Codable, Equatable, Sendable {
    /// When it was first asked for.
    public let since: Date
    /// Whether the account is removed with its last push credential, one-time passwords included.
    let isOfAccount: Bool
    /// The obstacle as it is stored, so that one of a later version does no harm.
    private var code: Int?

    init(since: Date, isOfAccount: Bool) {
        self.since = since
        self.isOfAccount = isOfAccount
    }

    /// What last kept the server from removing the profile; `nil` while it was not heard of.
    public internal(set) var obstacle: RemovalObstacle? {
        get { code.flatMap(RemovalObstacle.init) }
        set { code = newValue?.code }
    }

    private enum CodingKeys: Int, CodingKey {
        case since = 1
        case isOfAccount, code
    }
}

extension RemovalObstacle {
    private static let others: [RemovalObstacle] = [.noSession, .unreachable, .noAddress, .unknownProfile]

    /// Reads what is stored: the status of a refusal, or a number that is no status.
    fileprivate init?(code: Int) {
        if code >= 100 {
            self = .refused(status: code)
        } else {
            guard Self.others.indices.contains(code) else { return nil }
            self = Self.others[code]
        }
    }

    fileprivate var code: Int? {
        if case .refused(let status) = self { status } else { Self.others.firstIndex(of: self) }
    }
}

/// One thing that happens in a ``Scenario``.
///
/// In JSON, `do` is the name of the case; see the values of the cases for the other members.
public enum Step: Equatable, Sendable {
    /// The system hands out a device token, or the app sends it again.
    case token(Token)
    /// The app forgets the device token.
    case clearToken
    /// The app reads the device token.
    case readToken
    /// The user scans a registration code.
    case enrol(Enrol)
    /// The server sends a push.
    case receive(Receive)
    /// A push comes a second time: `{"do":"receiveAgain","push":"p1"}`.
    case receiveAgain(OfPush)
    /// Something comes that no server sent.
    case receiveRaw(ReceiveRaw)
    /// The user answers a push.
    case answer(Answer)
    /// The next requests go wrong.
    case fault(FaultOrder)
    /// Time passes, for the server and the device.
    case advance(Advance)
    /// The device changes.
    case device(Device)
    /// The server forgets a device: `{"do":"forget","credential":"babs"}`.
    case forget(OfCredential)
    /// The user enrols another phone, whose profile takes the place: `{"do":"enrolElsewhere","credential":"babs"}`.
    case enrolElsewhere(OfCredential)
    /// The app locks an account in the name of a policy.
    case lock(Lock)
    /// The app unlocks an account.
    case unlock(OfCredential)
    /// The user renames an account.
    case rename(Rename)
    /// The user removes one credential.
    case deleteCredential(OfCredential)
    /// The user removes an account with all its credentials.
    case deleteAccount(OfCredential)
    /// The user removes a notification.
    case deleteNotification(OfPush)
    /// The app shows a one-time password of a credential: `{"do":"code","credential":"babs"}`.
    case code(OfCredential)
    /// The app shows a list.
    case list(List)
    /// A legacy store is migrated into the present one.
    case migrate(Migrate)
    /// The process ends and starts again.
    case restart
    /// The app closes the client.
    case close
}

extension Step {
    /// The name of a push in the scenario.
    public struct OfPush: Codable, Equatable, Sendable {
        /// The push.
        public var push: String
    }

    /// The name of a credential in the scenario.
    public struct OfCredential: Codable, Equatable, Sendable {
        /// The credential.
        public var credential: String
    }
}

extension Step: Codable {
    private enum Key: String, CodingKey {
        case verb = "do"
    }

    /// The name of the case.
    public enum Verb: String, CaseIterable, Codable, Sendable {
        // The cases are those of Step, in its order.
        case token, clearToken, readToken, enrol, receive, receiveAgain, receiveRaw, answer, fault, advance,
            device
        case forget, enrolElsewhere
        case lock, unlock, rename, deleteCredential, deleteAccount, deleteNotification, code, list,
            migrate
        case restart, close

        /// What happens in the step, in words.
        public var words: String {
            switch self {
            case .token: "the system hands out a device token"
            case .clearToken: "the app forgets the token"
            case .readToken: "the app reads the token"
            case .enrol: "the user scans a code"
            case .receive: "the server sends a push"
            case .receiveAgain: "a push comes a second time"
            case .receiveRaw: "a payload comes that no server sent"
            case .answer: "the user answers"
            case .fault: "the next requests go wrong"
            case .advance: "time passes"
            case .device: "the device changes"
            case .forget: "the server forgets a device"
            case .enrolElsewhere: "the user enrols another phone in the place of this one"
            case .lock: "the app locks an account"
            case .unlock: "the app unlocks an account"
            case .rename: "the user renames an account"
            case .deleteCredential: "the user removes one credential"
            case .deleteAccount: "the user removes an account with all its credentials"
            case .deleteNotification: "the user removes a notification"
            case .code: "the app shows a one-time password"
            case .list: "the app shows a list"
            case .migrate: "a legacy store with one account is migrated"
            case .restart: "the process ends and starts again"
            case .close: "the app closes the client"
            }
        }
    }

    /// Reads a step: `do` names the case, the other members are those of its value.
    public init(from decoder: any Decoder) throws {
        let container = try decoder.container(keyedBy: Key.self)
        let name = try container.decode(String.self, forKey: .verb)
        guard let verb = Verb(rawValue: name) else {
            let reason = "There is no step \(name)"
            throw DecodingError.dataCorruptedError(forKey: .verb, in: container, debugDescription: reason)
        }
        switch verb {
        case .token: self = .token(try Token(from: decoder))
        case .clearToken: self = .clearToken
        case .readToken: self = .readToken
        case .enrol: self = .enrol(try Enrol(from: decoder))
        case .receive: self = .receive(try Receive(from: decoder))
        case .receiveAgain: self = .receiveAgain(try OfPush(from: decoder))
        case .receiveRaw: self = .receiveRaw(try ReceiveRaw(from: decoder))
        case .answer: self = .answer(try Answer(from: decoder))
        case .fault: self = .fault(try FaultOrder(from: decoder))
        case .advance: self = .advance(try Advance(from: decoder))
        case .device: self = .device(try Device(from: decoder))
        case .forget: self = .forget(try OfCredential(from: decoder))
        case .enrolElsewhere: self = .enrolElsewhere(try OfCredential(from: decoder))
        case .lock: self = .lock(try Lock(from: decoder))
        case .unlock: self = .unlock(try OfCredential(from: decoder))
        case .rename: self = .rename(try Rename(from: decoder))
        case .deleteCredential: self = .deleteCredential(try OfCredential(from: decoder))
        case .deleteAccount: self = .deleteAccount(try OfCredential(from: decoder))
        case .deleteNotification: self = .deleteNotification(try OfPush(from: decoder))
        case .code: self = .code(try OfCredential(from: decoder))
        case .list: self = .list(try List(from: decoder))
        case .migrate: self = .migrate(try Migrate(from: decoder))
        case .restart: self = .restart
        case .close: self = .close
        }
    }

    /// Writes a step as it is read.
    public func encode(to encoder: any Encoder) throws {
        var container = encoder.container(keyedBy: Key.self)
        try container.encode(verb, forKey: .verb)
        try value?.encode(to: encoder)
    }

    /// The name of the case.
    public var verb: Verb {
        switch self {
        case .token: .token
        case .clearToken: .clearToken
        case .readToken: .readToken
        case .enrol: .enrol
        case .receive: .receive
        case .receiveAgain: .receiveAgain
        case .receiveRaw: .receiveRaw
        case .answer: .answer
        case .fault: .fault
        case .advance: .advance
        case .device: .device
        case .forget: .forget
        case .enrolElsewhere: .enrolElsewhere
        case .lock: .lock
        case .unlock: .unlock
        case .rename: .rename
        case .deleteCredential: .deleteCredential
        case .deleteAccount: .deleteAccount
        case .deleteNotification: .deleteNotification
        case .code: .code
        case .list: .list
        case .migrate: .migrate
        case .restart: .restart
        case .close: .close
        }
    }

    private var value: (any Encodable)? {
        switch self {
        case .token(let value): value
        case .enrol(let value): value
        case .receive(let value): value
        case .receiveAgain(let value), .deleteNotification(let value): value
        case .receiveRaw(let value): value
        case .answer(let value): value
        case .fault(let value): value
        case .advance(let value): value
        case .device(let value): value
        case .forget(let value), .enrolElsewhere(let value), .unlock(let value), .deleteCredential(let value),
            .deleteAccount(let value), .code(let value):
            value
        case .lock(let value): value
        case .rename(let value): value
        case .list(let value): value
        case .migrate(let value): value
        case .clearToken, .readToken, .restart, .close: nil
        }
    }
}

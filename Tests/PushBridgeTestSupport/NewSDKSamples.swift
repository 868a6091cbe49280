/// Sample records in the format of the successor SDK.
public enum NewSDKSamples {
    /// All optional members that a credential can have.
    public static let everyField = """
        "userId":"user-1","resourceId":"resource-1","displayIssuer":"Bank","displayAccountName":"Alice",\
        "imageURL":"https://example.com/logo.png","backgroundColor":"#ff8800",\
        "policies":"{\\"biometricAvailable\\":{}}","lockingPolicy":"biometricAvailable","isLocked":true,
        """

    /// Returns a push credential.
    public static func push(
        _ id: String,
        secret: String,
        name: String = "alice",
        server: String = "https://am.example.com/am/push",
        date: String = "2023-11-14T22:13:20Z",
        platform: String = "PING_AM",
        extra: String = ""
    ) -> String {
        """
        {\(extra)"id":"\(id)","issuer":"Bank","accountName":"\(name)","serverEndpoint":"\(server)",\
        "sharedSecret":"\(secret)","createdAt":"\(date)","platform":"\(platform)"}
        """
    }

    /// Returns a TOTP credential.
    public static func totp(_ id: String) -> String { oath(id, #""oathType":"totp","period":30"#) }

    /// Returns an HOTP credential.
    public static func hotp(_ id: String) -> String { oath(id, #""oathType":"HOTP","counter":7"#) }

    private static func oath(_ id: String, _ members: String) -> String {
        """
        {"id":"\(id)","issuer":"Bank","accountName":"alice","displayIssuer":"Bank","displayAccountName":"alice",\
        \(members),"oathAlgorithm":"sha1","digits":6,"secret":"JBSWY3DPEHPK3PXP","createdAt":"2023-11-14T22:13:20Z"}
        """
    }

    /// Returns an answered notification.
    public static func notification(_ id: String, of credential: String) -> String {
        """
        {"id":"\(id)","credentialId":"\(credential)","ttl":120,"messageId":"AUTHENTICATE:\(id)",\
        "messageText":"Sign in?","challenge":"Y2hhbGxlbmdl","loadBalancer":"amlbcookie=01","pushType":"default",\
        "createdAt":"2023-11-14T22:15:01Z","sentAt":"2023-11-14T22:15:00.250Z",\
        "respondedAt":"2023-11-14T22:15:10Z","pending":false,"approved":true,"numbersChallenge":null}
        """
    }
}

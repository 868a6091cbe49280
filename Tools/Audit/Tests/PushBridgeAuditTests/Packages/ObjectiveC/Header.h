#ifndef HEADER_H
#define HEADER_H
@class Account; //= Account
@protocol FRAPolicy; //= FRAPolicy
#define START() [FRAClient start]
@interface Other
@property (nonatomic) Account *held; //= Account
- (void)take:(Account *)account with:(id<FRAPolicy>)policy; //= Account, FRAPolicy
@end
typedef Account AppAccount; //= Account
typedef AppAccount *AppAccountRef; //= Account as AppAccount
typedef void (^Handler)(Account *); //= Account
#endif
